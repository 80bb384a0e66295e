// The benchmark's operator on controller-runtime: each App becomes a Deployment and a ConfigMap, then it is Ready.
package main

import (
	"context"
	"flag"
	"log"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type object = map[string]any

var app = schema.GroupVersionKind{Group: "demo.io", Version: "v1", Kind: "App"}

type reconciler struct{ client.Client }

func newApp() *unstructured.Unstructured {
	obj := &unstructured.Unstructured{}
	obj.SetGroupVersionKind(app)
	return obj
}

func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cr := newApp()
	if err := r.Get(ctx, req.NamespacedName, cr); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	image, _, _ := unstructured.NestedString(cr.Object, "spec", "image")

	var deployment appsv1.Deployment
	err := r.Get(ctx, req.NamespacedName, &deployment)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if err != nil || deployment.Spec.Template.Spec.Containers[0].Image != image {
		if err := r.apply(ctx, cr, "apps/v1", "Deployment", object{"spec": deploymentSpec(req.Name, image)}); err != nil {
			return ctrl.Result{}, err
		}
	}

	var config corev1.ConfigMap
	err = r.Get(ctx, req.NamespacedName, &config)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if err != nil {
		data := object{"name": req.Name, "image": image, "port": "80"}
		if err := r.apply(ctx, cr, "v1", "ConfigMap", object{"data": data}); err != nil {
			return ctrl.Result{}, err
		}
	}

	if phase, _, _ := unstructured.NestedString(cr.Object, "status", "phase"); phase != "Ready" {
		ready := client.RawPatch("application/merge-patch+json", []byte(`{"status":{"phase":"Ready"}}`))
		return ctrl.Result{}, r.Status().Patch(ctx, cr, ready)
	}
	return ctrl.Result{}, nil
}

func deploymentSpec(name, image string) object {
	container := object{"name": name, "image": image, "ports": []any{object{"containerPort": int64(80)}}}
	labels := object{"app": name}
	return object{
		"replicas": int64(1),
		"selector": object{"matchLabels": labels},
		"template": object{"metadata": object{"labels": labels}, "spec": object{"containers": []any{container}}},
	}
}

func (r *reconciler) apply(ctx context.Context, cr client.Object, version, kind string, body object) error {
	owner := object{
		"apiVersion": "demo.io/v1", "kind": "App", "name": cr.GetName(), "uid": string(cr.GetUID()), "controller": true,
	}
	body["apiVersion"], body["kind"] = version, kind
	body["metadata"] = object{
		"name": cr.GetName(), "namespace": cr.GetNamespace(),
		"ownerReferences": []any{owner}, "labels": object{"app": cr.GetName()},
	}
	configuration := client.ApplyConfigurationFromUnstructured(&unstructured.Unstructured{Object: body})
	return r.Apply(ctx, configuration, client.FieldOwner("demo"), client.ForceOwnership)
}

func main() {
	namespace := flag.String("namespace", "", "the namespace to watch")
	workers := flag.Int("workers", 20, "reconciles at once")
	flag.Parse()
	ctrl.SetLogger(zap.New())

	scheme := runtime.NewScheme()
	must(clientgoscheme.AddToScheme(scheme))
	config := ctrl.GetConfigOrDie()
	config.QPS, config.Burst = -1, -1
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{*namespace: {}}},
	})
	must(err)
	must(ctrl.NewControllerManagedBy(manager).
		For(newApp()).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: *workers}).
		Complete(&reconciler{manager.GetClient()}))
	must(manager.Start(ctrl.SetupSignalHandler()))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
